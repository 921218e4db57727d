import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), deployments(), integrity()],
  // `pnpm dev`: pages come from here, with hot reload; everything else from the API.
  server: {
    proxy: { '^/(api|docs|openapi|rpc)(/|$|\\.)': { target: process.env.SVC_API_URL ?? 'http://127.0.0.1:8080' } },
  },
  build: {
    outDir: process.env.SVC_SITE_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // No inline assets: the content security policy allows only files of this origin.
    assetsInlineLimit: 0,
  },
})

/** Compiles the deployments into the build. The site compares them with /api/site-config and does not sign for other addresses. */
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

/** Adds a subresource integrity hash to every file that the page loads. */
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
