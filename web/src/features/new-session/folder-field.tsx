/* Where to start: typed, a favourite, one of the last ones, or found by walking. */
import { useEffect, useState } from "react";
import { ExactInput, Field } from "@/components/field";
import { Icon } from "@/components/icon";
import { childFolder, shortcuts, waysOut, toggledFavourite } from "@/features/new-session/choices";
import { failureText } from "@/lib/request-failed";
import { recall, remember } from "@/lib/storage";
import { useAppState, useVerbs } from "@/state/app-context";
import { folderName } from "@/words/session-words";

interface Listing {
  folder: string;
  names: string[];
  roots: string[];
}

export function FolderField({ folder, onChange }: { folder: string; onChange: (folder: string) => void }) {
  const live = useAppState((state) => state.connection.type === "live");
  const { ask } = useVerbs();
  const [recent, setRecent] = useState<string[]>([]);
  const [listing, setListing] = useState<Listing | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [favourites, setFavourites] = useState<string[]>(() => recall("favourite-folders", []));

  function keep(folders: string[]) {
    setFavourites(folders);
    remember("favourite-folders", folders);
  }

  useEffect(() => {
    if (!live) return;
    ask({ type: "browse", folder: "" }, "folders").then(
      (reply) => setRecent(reply.recent),
      () => setRecent([]),
    );
  }, [live, ask]);

  async function walk(to: string) {
    setProblem(null);
    try {
      const { folder: at, names, roots } = await ask({ type: "browse", folder: to }, "folders");
      setListing({ folder: at, names, roots });
      onChange(at);
    } catch (error) {
      setProblem(failureText(error));
    }
  }

  return (
    <div className="stack">
      <Field label="Folder">
        <span className="input-row">
          <ExactInput value={folder} onChange={onChange} placeholder="~/project" />
          <button
            type="button"
            className="icon-button folder__star"
            aria-label="Favourite"
            aria-pressed={favourites.includes(folder.trim())}
            disabled={folder.trim() === ""}
            onClick={() => keep(toggledFavourite(favourites, folder.trim()))}
          >
            <Icon name="star" />
          </button>
        </span>
      </Field>
      <div className="folder__ways">
        <button
          type="button"
          className="button"
          aria-expanded={listing !== null}
          onClick={() => (listing ? setListing(null) : void walk(folder.trim()))}
        >
          <Icon name="folder" size={18} />
          {listing ? "Done" : "Browse"}
        </button>
        {shortcuts(favourites, recent).map((path) => (
          <button
            key={path}
            type="button"
            className="button folder__recent"
            title={path}
            onClick={() => onChange(path)}
          >
            {favourites.includes(path) && <Icon name="star" size={14} />}
            {folderName(path)}
          </button>
        ))}
      </div>
      {problem !== null && (
        <p className="bad small" role="alert">
          {problem}
        </p>
      )}
      {listing && <FolderList listing={listing} onWalk={(to) => void walk(to)} />}
    </div>
  );
}

function FolderList({ listing, onWalk }: { listing: Listing; onWalk: (to: string) => void }) {
  return (
    <ul className="card folders" aria-label={`Folders in ${listing.folder}`}>
      {waysOut(listing.folder, listing.roots).map((path) => (
        <li key={path}>
          <button type="button" className="folders__item" onClick={() => onWalk(path)}>
            <Icon name="back" size={16} /> {listing.folder.startsWith(path) ? "up" : "over"} to {path}
          </button>
        </li>
      ))}
      {listing.names.map((name) => (
        <li key={name}>
          <button
            type="button"
            className="folders__item"
            onClick={() => onWalk(childFolder(listing.folder, name))}
          >
            <Icon name="folder" size={16} /> {name}
          </button>
        </li>
      ))}
      {listing.names.length === 0 && <li className="folders__item dim">no folders below this one</li>}
    </ul>
  );
}
