// biome-ignore lint/suspicious/noExplicitAny: it stores any value.
type Entry = any

/** An append-only log of entries by topic, numbered across topics, that can be read and followed. */
export interface TopicLog {
  publish: (topic: string, make: (id: number, createdNs: string) => Entry) => void
  after: (topic: string, id: number) => Entry[]
  /** Passes existing entries after `id` and new ones to `give`, until the returned function is called. */
  follow: (topic: string, id: number, give: (entry: Entry) => void) => () => void
}

/** Creates an empty log in memory. */
export function createTopicLog(): TopicLog {
  const kept: { id: number; topic: string; entry: Entry }[] = []
  const followers = new Set<{ topic: string; give: (entry: Entry) => void }>()
  const after = (topic: string, id: number) =>
    kept.filter((each) => each.topic === topic && each.id > id).map(({ entry }) => entry)
  return {
    after,
    publish(topic, make) {
      const id = kept.length + 1
      const entry = make(id, `${BigInt(Date.now()) * 1_000_000n + BigInt(id)}`)
      kept.push({ id, topic, entry })
      for (const follower of followers) if (follower.topic === topic) follower.give(entry)
    },
    follow(topic, id, give) {
      for (const entry of after(topic, id)) give(entry)
      const follower = { topic, give }
      followers.add(follower)
      return () => followers.delete(follower)
    },
  }
}
