import { startSavedWorld, startWorld, type World } from '@svc/devnet'
import { sharedWorld } from './env.ts'

/**
 * Starts a chain of one's own with the demo world. In a test run it is loaded from the one that the run has built;
 * elsewhere, or when that fails, it is built. Of a loaded one, states before the load cannot be read: who needs them
 * takes `startWorld`.
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
    console.error('The shared world cannot be had, so another is built.', error)
    return startWorld()
  }
}
