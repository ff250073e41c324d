/* Pictures are taken as the stories are told, on the first of their phones. */
import stories from "./playwright.config";

export default { ...stories, testDir: "pictures", projects: stories.projects?.slice(0, 1) };
