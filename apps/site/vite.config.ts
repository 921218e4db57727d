import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), deployments(), integrity()],
  build: {
    outDir: process.env.SVC_SITE_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Nothing inline: the policy of the pages allows files of this origin only.
    assetsInlineLimit: 0,
  },
})

/** Compiles in what the site compares the addresses of /api/site-config with: a server that names others gets no signature. */
function deployments(): Plugin {
  return {
    name: 'deployments',
    config() {
      const local = fileURLToPath(new URL('../../deployments/8453.local.json', import.meta.url))
      const { chainId, shared, markets } = JSON.parse(readFileSync(process.env.SVC_DEPLOYMENTS ?? local, 'utf8'))
      return { define: { __DEPLOYMENTS__: JSON.stringify({ chainId, shared, markets }) } }
    },
  }
}

/** Every file that the page names carries the hash of its bytes as they were written. */
function integrity(): Plugin {
  return {
    name: 'integrity',
    writeBundle({ dir = '' }) {
      const page = join(dir, 'index.html')
      const named = readFileSync(page, 'utf8').replace(/(src|href)="\/(assets\/[^"]+)"/g, (attribute, _, path) => {
        const hash = createHash('sha384')
          .update(readFileSync(join(dir, path)))
          .digest('base64')
        return `${attribute} integrity="sha384-${hash}"`
      })
      writeFileSync(page, named)
    },
  }
}
