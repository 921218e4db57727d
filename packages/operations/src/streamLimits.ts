/** Limits of the event stream of one replica. */
export const streamLimits = {
  /** Streams that may be open at once. */
  open: 1_000,
  /** Streams that one client may have open at once. The networks around it have a few times as many. */
  openPerClient: 20,
  /** A stream ends after this time. The client then reconnects, perhaps to another replica. */
  lifeSeconds: 3_600,
  /** A comment is sent after this long without a message, so that proxies keep the connection open. */
  heartbeatSeconds: 15,
  /** A connection without a message or a comment for this long is dead. */
  silenceSeconds: 30,
  /** How long a client should wait before it reconnects. */
  retrySeconds: 1,
  /** How long a client should wait after a refusal. */
  fullSeconds: 5,
} as const
