import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const service = z.object({
  image: z.string(),
  build: z.object({ context: z.literal('..'), dockerfile: z.literal('deploy/Dockerfile') }).optional(),
  user: z.string(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  privileged: z.boolean().default(false),
  security_opt: z.array(z.string()).default([]),
  restart: z.string().optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  secrets: z.array(z.union([z.string(), z.object({ source: z.string(), target: z.string() })])).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  networks: z.union([
    z
      .array(z.string())
      .transform((names) => Object.fromEntries(names.map((name) => [name, {} as { ipv4_address?: string }]))),
    z.record(z.string(), z.object({ ipv4_address: z.string().optional() })),
  ]),
  deploy: z.object({
    resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string(), pids: z.number() }) }),
  }),
})

const file = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})

export type ComposeService = z.infer<typeof service>

/** Parses `deploy/compose.yaml` with its anchors merged. */
export function readCompose(): z.infer<typeof file> {
  return file.parse(parse(readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8'), { merge: true }))
}

/** Names the program of this repository that a service runs; undefined for others. */
export function readProgram({ build, command }: ComposeService): string | undefined {
  const [, app] = /^apps\/(.*)\/src\//.exec(command.at(-1) ?? '') ?? []
  return build && (app === 'admin' ? 'watcher' : app)
}

/** Lists the secrets of a service: the name of each and its path in the container. */
export function listSecrets({ secrets }: ComposeService): { source: string; path: string }[] {
  return secrets.map((each) =>
    typeof each === 'string'
      ? { source: each, path: `/run/secrets/${each}` }
      : { source: each.source, path: `/run/secrets/${each.target}` },
  )
}
