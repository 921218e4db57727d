import { openPort } from '../../scripts/dev/openPort.ts'

/** Below the ports that systems give to outgoing connections: a server that is killed finds its port free again. */
const [lowest, highest] = [10_000, 32_000]

/** Ports that this process gave away, which may not listen yet. */
const given = new Set<number>()

/** Returns a port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (given.has(port) || (await openPort(port)) === null) continue
    given.add(port)
    return port
  }
  throw new Error('Found no free port.')
}

/** Returns `count` different ports that were free a moment ago. */
export const findFreePorts = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, findFreePort))
