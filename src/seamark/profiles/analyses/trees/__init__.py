"""Trees: modules and call stacks, merged by name, with their time on the host and on the devices."""
