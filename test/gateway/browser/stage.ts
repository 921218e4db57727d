import { createScene, type Devnet, type Scene } from '@svc/devnet'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../harness/browser.ts'
import { startDemoWorld } from '../../harness/demoWorld.ts'
import { startFurnished } from '../../harness/gateway.ts'
import { type RunningGateway, runGateway } from '../../harness/runGateway.ts'

/** A local chain, the real gateway over it, and a browser. */
export interface Stage {
  devnet: Devnet
  /** The standard market. */
  scene: Scene
  gateway: RunningGateway
  browser: Browser
  close: () => Promise<void>
}

/** Sets it all up: with people alone, or with the demo world, in which every state of a task is to be seen. */
export async function openStage(fill: 'people' | 'world'): Promise<Stage> {
  const devnet = fill === 'world' ? (await startDemoWorld()).devnet : await startFurnished()
  const scene = createScene(devnet.client, devnet.deployments, 'standard')
  const [gateway, browser] = await Promise.all([runGateway(devnet), launchBrowser()])
  return {
    devnet,
    scene,
    gateway,
    browser,
    async close() {
      await browser.close()
      await gateway.remove()
      await devnet.stop()
    },
  }
}
