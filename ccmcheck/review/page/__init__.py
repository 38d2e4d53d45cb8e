"""The HTML pages of a review and of the create-monitor question: their sections as blocks."""
