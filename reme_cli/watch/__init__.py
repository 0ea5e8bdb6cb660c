"""Keeping up with people who edit: what was saved is taken into the index, checked, and its mentions are linked."""
