"""Questions over notes as people keep them, for the benchmark `notes`."""
