"""From runs to answers: the table of runs, the query language, statistics and differences."""
