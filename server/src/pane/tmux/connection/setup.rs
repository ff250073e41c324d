//! How a connection begins: attached, known by its server, told what to push, and with nothing of our environment left.

use std::{collections::VecDeque, sync::Arc};

use tokio::{
    sync::oneshot,
    time::{self, Instant},
};

use super::{Connection, Lost, READ_SIZE, RECONCILE_EVERY, REPLY_LIMIT, Reply};
use crate::pane::{
    Generation, PaneError,
    tmux::{
        door::Door,
        owned::OwnedServer,
        protocol::Parser,
        registry::{Registry, ServerId},
        rows,
        script::Script,
    },
};

impl Connection {
    /// Attaches to a server that runs, and sets it up.
    pub(in crate::pane::tmux) async fn open(
        server: &OwnedServer,
        door: Door,
        registry: Arc<Registry>,
        generation: Generation,
    ) -> Result<Self, PaneError> {
        let mut child = server.attach()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(PaneError::Unavailable("no pipes to tmux".into()));
        };
        let mut connection = Self {
            child,
            stdin,
            stdout,
            buffer: vec![0; READ_SIZE].into_boxed_slice(),
            parser: Parser::default(),
            outgoing: Vec::new(),
            pending: VecDeque::new(),
            door,
            registry,
            generation,
            server: ServerId { pid: 0, started: 0 },
            hub: String::new(),
            attached: false,
            marks: 0,
            next_reconcile: Instant::now() + RECONCILE_EVERY,
            reconciling: false,
            reconcile_again: false,
        };
        connection.until_attached().await?;
        connection.set_up().await?;
        Ok(connection)
    }

    /// Commands sent before the attach is over are run by a client that has no session yet.
    async fn until_attached(&mut self) -> Result<(), PaneError> {
        let attached = time::timeout(REPLY_LIMIT, async {
            while !self.attached {
                self.step().await?;
            }
            Ok(())
        });
        match attached.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(Lost(reason))) => Err(PaneError::Unavailable(reason)),
            Err(_) => Err(PaneError::Unavailable("tmux did not attach its client".into())),
        }
    }

    async fn set_up(&mut self) -> Result<(), PaneError> {
        let facts = self.call(Script::of(&["display-message", "-p", "#{pid} #{start_time} #{session_id}"])).await?;
        let facts = String::from_utf8_lossy(facts.blocks.first().map_or(&[], Vec::as_slice)).into_owned();
        let mut fields = facts.split(' ');
        let read = (|| {
            let pid = fields.next()?.parse().ok()?;
            let started = fields.next()?.parse().ok()?;
            Some((ServerId { pid, started }, fields.next()?.to_owned()))
        })();
        let Some((server, hub)) = read else {
            return Err(PaneError::Unavailable("tmux did not say who it is".into()));
        };
        (self.server, self.hub) = (server, hub);
        self.registry.keep_only(Some(server));

        // A pane that floods us is paused rather than kept in tmux's memory; the end of a program is told within a second.
        let flow = Script::of(&["refresh-client", "-f", "pause-after=1"]).then(&[
            "refresh-client",
            "-B",
            "ended:%*:#{pane_dead}#{pane_dead_status}#{pane_dead_signal}",
        ]);
        self.call(flow).await?;
        self.clear_environment().await?;

        let list = self.call(rows::script()).await?;
        self.reconciled(list.blocks.first().map_or(&[], Vec::as_slice));
        Ok(())
    }

    /// Programs get nothing of the environment the server was started with.
    async fn clear_environment(&mut self) -> Result<(), PaneError> {
        let listed = self.call(Script::of(&["show-environment", "-g"])).await?;
        let text = String::from_utf8_lossy(listed.blocks.first().map_or(&[], Vec::as_slice)).into_owned();
        for name in text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name) {
            // A line that only looks like a variable, of a value with line feeds, changes nothing.
            self.call(Script::of(&["set-environment", "-g", "-u", name])).await?;
        }
        Ok(())
    }

    async fn call(&mut self, script: Script) -> Result<Reply, PaneError> {
        let (answer, mut reply) = oneshot::channel();
        self.submit(script, answer);
        loop {
            self.step().await.map_err(|lost| PaneError::Unavailable(lost.0))?;
            if let Ok(reply) = reply.try_recv() {
                return reply.map_err(|failure| failure.error);
            }
        }
    }
}
