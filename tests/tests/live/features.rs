//! What a version of a CLI does not have: the tables of the CLIs, and what is asked of them.

/// What a version lacks, each with the reason why a story about it does not apply.
#[derive(Debug)]
pub(crate) struct Features<F: 'static> {
    pub(crate) lacking: &'static [(F, &'static str)],
}

impl<F: Copy + PartialEq> Features<F> {
    /// Why a story about this does not apply; nothing when it does.
    pub(crate) fn lacks(&self, feature: F) -> Option<&'static str> {
        self.lacking.iter().find(|(lacking, _)| *lacking == feature).map(|(_, reason)| *reason)
    }

    /// Whether the version has it.
    pub(crate) fn has(&self, feature: F) -> bool {
        self.lacks(feature).is_none()
    }
}
