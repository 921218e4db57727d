import { startSavedWorld, startWorld, type World } from '@svc/devnet'
import { sharedWorld } from './env.ts'

/**
 * Starts a separate chain with the demo world. A test run builds the world once and loads it here; without a test run, or if
 * loading fails, it is built. A loaded chain cannot read states before the load: use
 * `startWorld` if a test needs them.
 */
export async function startDemoWorld(): Promise<World> {
  const url = sharedWorld.get()
  if (!url) return startWorld()
  try {
    const response = await fetch(url)
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return await startSavedWorld(text)
  } catch (error) {
    console.error('Loading the shared world failed; building another one.', error)
    return startWorld()
  }
}
