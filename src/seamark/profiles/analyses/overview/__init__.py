"""Overview: what each step spends its time on, utilization, idle time and the peak of the memory."""

from seamark.profiles.analyses.overview.find import find_overview as find_overview
