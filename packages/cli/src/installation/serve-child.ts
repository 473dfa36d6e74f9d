// The process that `vitrine serve` starts, with the flags that the server needs.

// The channel closes when the process that started this one is gone, even when that was killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// It must not keep this process alive once the server has stopped.
process.channel?.unref()
await import('@vitrine/server/main')
