import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, Transform } from 'node:stream'
import { createFolderStore } from '../../apps/store/src/objects/folderStore.ts'
import { ObjectError, type ObjectStore } from '../../apps/store/src/objects/objectStore.ts'
import { createS3Store, type S3Options } from '../../apps/store/src/objects/s3Store.ts'
import { findMissingSwift, startSwift } from '../harness/swift.ts'
import { type EngineFault, startFaultyS3 } from './faultyS3.ts'
import { startMemoryS3 } from './memoryS3.ts'

/** An object store that fails on demand. */
export interface Engine {
  objects: ObjectStore
  fail: (fault: EngineFault | null) => void
  /** Counts files of uploads that were not finished. */
  countLeftovers: () => Promise<number>
  stop: () => Promise<void>
}

/** How long the store waits for an engine that is silent. */
const idleMs = 3_000

const engines = {
  folder: async (): Promise<Engine> => {
    const folder = await mkdtemp(join(tmpdir(), 'store-'))
    const inner = createFolderStore(folder)
    let fault: EngineFault | null = null
    return {
      objects: {
        ...inner,
        put(key, source, expected) {
          if (!fault) return inner.put(key, source, expected)
          const failing = failWith(fault)
          pipeline(source, failing, () => {})
          return inner.put(key, failing, expected)
        },
      },
      fail: (next) => {
        fault = next
      },
      countLeftovers: async () => (await readdir(join(folder, '.incoming')).catch(() => [])).length,
      stop: () => rm(folder, { recursive: true, force: true }),
    }
  },
  s3: async (): Promise<Engine> => {
    const s3 = await startMemoryS3()
    return startS3Engine(s3, s3.stop)
  },
  /** An S3 that does not compare bytes with their signed hash. */
  'careless s3': async (): Promise<Engine> => {
    const s3 = await startMemoryS3({ checksHashes: false })
    return startS3Engine(s3, s3.stop)
  },
  swift: async (): Promise<Engine> => {
    const swift = await startSwift()
    return startS3Engine(swift, swift.remove)
  },
}

export type EngineName = keyof typeof engines

/** The engines that can run here. Without Swift, one line says so. */
export function listEngines(): EngineName[] {
  const missing = findMissingSwift()
  if (missing) console.warn(missing)
  return missing ? ['folder', 's3', 'careless s3'] : ['folder', 's3', 'careless s3', 'swift']
}

export const startEngine = (name: EngineName): Promise<Engine> => engines[name]()

async function startS3Engine(options: S3Options, stop: () => Promise<void>): Promise<Engine> {
  const proxy = await startFaultyS3(options.url)
  return {
    objects: createS3Store({ ...options, url: proxy.url, idleMs }),
    fail: proxy.fail,
    countLeftovers: async () => 0,
    stop: async () => {
      await proxy.stop()
      await stop()
    },
  }
}

/** Fails a write to a disk in the middle. A disk that is silent for too long is an error in the end. */
function failWith(fault: EngineFault): Transform {
  const error =
    fault === 'full' ? new ObjectError('FULL', 'The disk is full.') : new ObjectError('UNREACHABLE', 'The disk failed.')
  return new Transform({
    transform(chunk, _, done) {
      this.push(chunk.subarray(0, chunk.length / 2))
      done(error)
    },
  })
}
