"""SummaryWriter and the other interfaces that programs log through."""
