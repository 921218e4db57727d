import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { base } from '@svc/protocol'
import { listPrices } from '@svc/protocol/internal/actions'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { homeText } from './src/text/home.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), deployments(), prices(), options(), firstPage(), rejectCycles(), fillHead(), integrity()],
  // `pnpm dev`: pages come from here, with hot reload; everything else from the API.
  server: {
    proxy: {
      '^/(api|docs|feeds|openapi|rpc|robots|sitemap|store|notify)(/|$|\\.)': {
        target: process.env.SVC_API_URL ?? 'http://127.0.0.1:8080',
      },
    },
  },
  build: {
    outDir: process.env.SVC_SITE_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // No inline assets: the content security policy allows only files of this origin.
    assetsInlineLimit: 0,
    // What optional wallets load for features that the site does not use: compressed links, a window of WalletConnect's own.
    rolldownOptions: {
      external: ['brotli-wasm', '@reown/appkit/core'],
      output: {
        // What pages share is five files: many small ones compress worse. Every page needs the first three.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(?:@noble|react)\/|viem\/_esm\/(?!.*(?:abi|typedData|signature))|packages\/client\/src|packages\/protocol\/src\/\w+\/(?:amounts|chains|market|params|plainText|plans|states|svcError|taskId|units)\./i,
              priority: 2,
              minShareCount: 12,
            },
            // The frame of the page, and what nearly every page draws with.
            {
              name: 'frame',
              test: /apps\/site\/src\/(?:router|theme|use\w+|actions\/transactions|taskPath|parts\/(?:NotFound|QueryView)|ui\/(?:Address|Amount|Button|MarketSwitch|Note|Skeleton|Time)|text\/(?:common|wallet)|wallet\/(?:Connect|useWallet|wagmiConfig|optionalConnectors|provider))\.|node_modules\/(?:lucide-react\/(?!.*icons)|wagmi|@wagmi|@tanstack|eventemitter3|mipd|zustand|use-sync-external-store)\/|rolldown/,
              priority: 1,
              minShareCount: 2,
            },
            {
              name: 'parts',
              test: /apps\/site\/src\/(?:work\/useStore\.|(?:parts|ui|text)\/(?!Markdown|after|post|card|task\.|receipt|courtDesk|talk|work|signing|fields|inbox|profile))|lucide-react|packages\/protocol\/src\/\w+\/(?:briefLimits|draftDefaults|tagRules)\./,
              minShareCount: 4,
            },
            // What follows a task: for its own page and for whoever signs in.
            {
              name: 'task',
              test: /apps\/site\/src\/(?:work\/(?:use(?:WorkKeys|WorkSharing)|loadEngine|listReferences)|talk\/(?:useTalk|unread|written|UnreadCount)|pages\/task\/(?:viewer|formTabs)|text\/(?:card|task|talk|workKeys)|ui\/(?:formatMoment|Tabs))\.|work\/references\.|records\/dispute/,
              minShareCount: 2,
            },
            // The rules of the protocol, with what parses and encodes: for whoever signs.
            {
              name: 'rules',
              test: /node_modules\/(?:viem|zod)\/|packages\/protocol\/src\/(?!\w+\/(?:briefLimits|chains|draftDefaults|plans|references|states|tagRules|taskId)\.)/,
              minShareCount: 8,
            },
          ],
        },
      },
    },
  },
})

/** Compiles the deployments into the build. The site compares them with /api/site-config and does not sign for other addresses. */
function deployments(): Plugin {
  return {
    name: 'deployments',
    config() {
      const local = fileURLToPath(new URL(`../../deployments/${base.id}.local.json`, import.meta.url))
      const { chainId, shared, markets, swapPool } = JSON.parse(
        readFileSync(process.env.SVC_DEPLOYMENTS ?? local, 'utf8'),
      )
      return { define: { __DEPLOYMENTS__: JSON.stringify({ chainId, shared, markets, swapPool }) } }
    },
  }
}

/** Compiles the price table into the page of fees, which then needs none of the rules that it follows from. */
function prices(): Plugin {
  const id = 'virtual:prices'
  const write = (value: unknown) => (typeof value === 'bigint' ? `${value}n` : JSON.stringify(value))
  const rows = () =>
    listPrices().map((price) => `{${Object.entries(price).map(([name, value]) => `${name}:${write(value)}`)}}`)
  return {
    name: 'prices',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (path) => (path === `\0${id}` ? `export const prices = [${rows()}]` : undefined),
  }
}

/**
 * Compiles what the operator chose into the build, and names the origins that the page then needs in `origins.json`, from which
 * the server makes its policy. The site contacts nobody but its own server before a visitor chooses a wallet of somebody else.
 */
function options(): Plugin {
  const {
    SVC_SITE_BASE_ACCOUNT = '1',
    SVC_SITE_BASE_ACCOUNT_URL,
    SVC_SITE_CARD_URL,
    SVC_SITE_EXCHANGE_URL,
    SVC_SITE_BRIDGE_URL,
    SVC_SITE_FAUCET_URL,
    SVC_SITE_PAYMASTER_CONTEXT,
    SVC_SITE_PAYMASTER_SPENDER,
    SVC_SITE_PAYMASTER_URL,
    SVC_SITE_WALLETCONNECT_PROJECT_ID,
    SVC_SITE_WALLETCONNECT_RELAY_URL = 'wss://relay.walletconnect.org',
  } = process.env
  const moneyLinks = {
    card: SVC_SITE_CARD_URL,
    exchange: SVC_SITE_EXCHANGE_URL,
    bridge: SVC_SITE_BRIDGE_URL,
    faucet: SVC_SITE_FAUCET_URL,
  }
  for (const [name, url] of Object.entries(moneyLinks)) {
    if (url && !url.startsWith('https://'))
      throw new Error(`SVC_SITE_${name.toUpperCase()}_URL must begin with https://.`)
  }
  if (SVC_SITE_PAYMASTER_SPENDER && !/^0x[0-9a-fA-F]{40}$/.test(SVC_SITE_PAYMASTER_SPENDER))
    throw new Error('SVC_SITE_PAYMASTER_SPENDER must be an address: 0x and 40 hex digits.')
  if (!/^(?:wss:\/\/|ws:\/\/127\.0\.0\.1[:/])/.test(SVC_SITE_WALLETCONNECT_RELAY_URL))
    throw new Error('SVC_SITE_WALLETCONNECT_RELAY_URL must begin with wss://.')
  const hasBaseAccount = SVC_SITE_BASE_ACCOUNT !== '0'
  const projectId = SVC_SITE_WALLETCONNECT_PROJECT_ID || null
  // A paymaster is asked by the wallet, not by the page.
  const connect = [
    ...(hasBaseAccount ? ['https://rpc.wallet.coinbase.com', 'https://chain-proxy.wallet.coinbase.com'] : []),
    ...(projectId ? [new URL(SVC_SITE_WALLETCONNECT_RELAY_URL).origin, 'https://rpc.walletconnect.org'] : []),
  ]
  // WalletConnect proves to the wallet in a frame which site asks.
  const frame = projectId ? ['https://verify.walletconnect.org'] : []
  return {
    name: 'options',
    config: () => ({
      define: {
        __BASE_ACCOUNT__: JSON.stringify(hasBaseAccount),
        __BASE_ACCOUNT_URL__: JSON.stringify(SVC_SITE_BASE_ACCOUNT_URL || null),
        __MONEY_LINKS__: JSON.stringify(moneyLinks),
        __WALLETCONNECT__: JSON.stringify(projectId !== null),
        __WALLETCONNECT_PROJECT_ID__: JSON.stringify(projectId ?? ''),
        __WALLETCONNECT_RELAY_URL__: JSON.stringify(SVC_SITE_WALLETCONNECT_RELAY_URL),
        __PAYMASTER_URL__: JSON.stringify(SVC_SITE_PAYMASTER_URL || null),
        __PAYMASTER_CONTEXT__: JSON.stringify(JSON.parse(SVC_SITE_PAYMASTER_CONTEXT || 'null')),
        __PAYMASTER_SPENDER__: JSON.stringify(SVC_SITE_PAYMASTER_SPENDER || null),
      },
    }),
    writeBundle({ dir = '' }) {
      if (connect.length > 0) writeFileSync(join(dir, 'origins.json'), JSON.stringify({ connect, frame }))
    },
  }
}

/** Writes the top of the first page into the HTML. The server replaces it on other pages. */
function firstPage(): Plugin {
  return {
    name: 'first-page',
    transformIndexHtml: (html) => html.replace('<!--page-->', (mark) => mark + writeFirstPage()),
  }
}

/**
 * Puts the style of every page into the HTML, so that its first words need no second request (the server's policy names its hash),
 * and names the code of the app and the font, so that they are loaded beside it.
 */
function fillHead(): Plugin {
  return {
    name: 'fill-head',
    writeBundle({ dir = '' }, bundle) {
      const files = Object.values(bundle)
      const chunks = new Map(files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
      const start = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith('/start.tsx'))
      const scripts = new Set(start && [start.fileName])
      for (const script of scripts) for (const imported of chunks.get(script)?.imports ?? []) scripts.add(imported)
      const font = files.find(({ fileName }) => /geist-latin-wght.*\.woff2$/.test(fileName))
      const page = join(dir, 'index.html')
      const built = readFileSync(page, 'utf8')
      const preloads = [
        `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font?.fileName}">`,
        // After what the first words need.
        ...[...scripts]
          .filter((path) => !built.includes(path))
          .map((path) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${path}">`),
      ]
      const html = built
        .replace(/<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/, (_, path) => {
          return `<style>${readFileSync(join(dir, path), 'utf8').trim()}</style>`
        })
        .replace('</head>', (end) => `  ${preloads.join('\n    ')}\n  ${end}`)
      writeFileSync(page, html)
    },
  }
}

/** Fails if files of the build import each other in a circle: what one of them needs would not be there when it starts. */
function rejectCycles(): Plugin {
  return {
    name: 'reject-cycles',
    generateBundle(_, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' ? [[file.fileName, file.imports] as const] : [],
        ),
      )
      const done = new Set<string>()
      const visit = (name: string, path: readonly string[]): void => {
        if (path.includes(name)) this.error(`Files of the build import each other: ${[...path, name].join(' > ')}`)
        if (done.has(name)) return
        for (const imported of chunks.get(name) ?? []) visit(imported, [...path, name])
        done.add(name)
      }
      for (const name of chunks.keys()) visit(name, [])
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

/** Writes the top of the first page as HTML: the same words and classes as `VisitorHome`, so that nothing moves when it takes over. */
function writeFirstPage(): string {
  const lines = homeText.titleLines.map((line) => `<span>${line} </span>`).join('')
  return `<div class="home"><section class="hero"><div class="hero-text"><h1>${lines}</h1><p class="hero-lead soft">${homeText.lead}</p></div></section></div>`
}
