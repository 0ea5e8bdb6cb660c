"""Relations that notes contain but do not link: found, judged, and written into the body as wikilinks."""
