import {
  ChainReadError,
  type Deployments,
  getMarketDeployment,
  LogRangeError,
  type MarketReader,
  type Providers,
  readAtHead,
} from '@svc/chain'
import {
  createQueryParser,
  formatDispute,
  formatTask,
  formatUsdPerTok,
  params,
  parseInput,
  type RequestJson,
  ServiceError,
} from '@svc/operations'
import { decodeTaskText, getChainProfile, parseTaskId } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import { z } from 'zod'
import { readHoldings } from '../reads/readHoldings.ts'
import { approveBody } from './approve/approvePage.ts'
import { readRefusal } from './approve/readRefusal.ts'
import { receiptSection, type Subject } from './approve/receipt.ts'
import { type Html, html } from './html.ts'
import { hubBody } from './hub/hubPage.ts'
import { readHeads } from './hub/readHeads.ts'
import { layout, type PageParts } from './layout.ts'
import { type FigureName, figures } from './leaderboard/figures.ts'
import { leaderboardBody } from './leaderboard/leaderboardPage.ts'
import { readRecord } from './leaderboard/readRecord.ts'
import { recordSection } from './leaderboard/recordSection.ts'
import { marketBody } from './market/marketPage.ts'
import { readMarketQuery } from './market/marketQuery.ts'
import { readMarket } from './market/readMarket.ts'
import { createTaskTexts } from './market/taskTexts.ts'
import { treasuryBody } from './treasury/treasuryPage.ts'

export interface PageDeps {
  reader: MarketReader
  providers: Providers
  deployments: Deployments
  /** The signer of readiness receipts. */
  key: { did: string }
  /** The gateway's base URL, set by the operator. */
  baseUrl: string
  /** Reads a prepared request; throws a 404 if it does not exist. */
  requests: { get: (id: string) => RequestJson }
  /** Unix milliseconds. */
  now: () => number
}

export interface Page {
  status: number
  html: string
  /** It can send a form to this gateway. */
  hasForm: boolean
}

export interface Pages {
  /** Finds the renderer of a path; null if there is none. Expected errors become pages that say what to do. */
  match: (path: string) => ((url: URL) => Promise<Page>) | null
}

const maxAgents = 100

/** The pages with a search form. The page where a wallet signs has none, and no form can be sent from it. */
const pagesWithForm: readonly string[] = ['/', '/market.html']

/** Creates the gateway's pages. They are complete without scripts, which only refresh them and talk to the wallet. */
export function createPages(deps: PageDeps): Pages {
  const { reader, providers, key, baseUrl, requests, now: clock } = deps
  const places = getMarketDeployment(deps.deployments)
  const { chainId } = deps.deployments
  const { banner } = getChainProfile(chainId)
  const texts = createTaskTexts(reader)
  const makers: Readonly<Record<string, (query: URLSearchParams, now: number) => Promise<PageParts>>> = {
    '/': hub,
    '/market.html': market,
    '/leaderboard.html': leaderboard,
    '/treasury-dashboard.html': treasury,
  }

  return {
    match(path) {
      const [, id] = /^\/approve\/([^/]{1,64})$/.exec(path) ?? []
      const make = id === undefined ? makers[path] : (_: URLSearchParams, now: number) => approve(id, now)
      if (!make) return null
      const hasForm = pagesWithForm.includes(path)
      return async ({ searchParams }) => {
        const now = Math.floor(clock() / 1000)
        try {
          return { status: 200, html: layout(await make(searchParams, now), now, banner), hasForm }
        } catch (error) {
          const { status, heading, text, wayOut } = describeFault(error)
          const block = status === 503 ? null : await reader.head().catch(() => null)
          const body = errorBody(heading, text, wayOut)
          return { status, html: layout({ title: heading, path, block, body }, now, banner), hasForm: false }
        }
      }
    },
  }

  async function hub(_: URLSearchParams, now: number): Promise<PageParts> {
    const facts = await readHeads(providers)
    const body = hubBody({ ...facts, chainId, places, receiptSigner: key.did, baseUrl }, now)
    return { title: 'Hub', path: '/', block: facts.block, body, refresh: 5 }
  }

  async function market(given: URLSearchParams, now: number): Promise<PageParts> {
    const query = readMarketQuery(given)
    const page = await readMarket(reader, texts, query)
    const body = marketBody(page, query, baseUrl, now)
    const files = { sheets: ['market'], modules: ['market'] }
    return { title: 'Market', path: '/market.html', block: page.block, body, ...files, refresh: 10 }
  }

  async function leaderboard(given: URLSearchParams): Promise<PageParts> {
    const { market, wallet, of } = parseInput(recordQuery, createQueryParser(recordQuery)(given))
    const [{ agents, block }, { arbitrators }, record] = await Promise.all([
      reader.listAgents(market, maxAgents),
      reader.listArbitrators(market, maxAgents),
      wallet && readRecord(providers, places, market, wallet, of),
    ])
    const section = record && wallet ? recordSection(record.events, market, wallet, of) : null
    const body = leaderboardBody({ agents, arbitrators }, market, section)
    return { title: 'Leaderboard', path: '/leaderboard.html', block, body, refresh: 30 }
  }

  async function treasury(given: URLSearchParams): Promise<PageParts> {
    const { market } = parseInput(marketQuery, createQueryParser(marketQuery)(given))
    const [{ block, ...holdings }, { union }] = await Promise.all([
      readAtHead(providers, (provider, at) => readHoldings(provider, places.markets[market], at, places.startBlock)),
      reader.getUnion(market),
    ])
    const body = treasuryBody(holdings, union, market)
    return { title: 'Treasury', path: '/treasury-dashboard.html', block, body, sheets: ['treasury'], refresh: 30 }
  }

  /** The task of a request, and what TOK is worth. */
  async function readSubject({ taskId, market }: RequestJson, now: number): Promise<Subject> {
    const id = taskId === undefined ? null : parseTaskId(taskId)
    const [found, { price }] = await Promise.all([
      id && reader.getTaskSummary(id.market, id.number),
      reader.getTokPrice(market),
    ])
    const detail = found?.detail ?? null
    return {
      task: detail && {
        ...formatTask(detail.task, market, places.markets[market].taskRegistry, now),
        dispute: detail.dispute && formatDispute(detail.dispute, []),
      },
      title: detail?.text == null ? null : decodeTaskText(detail.text).title,
      usdPerTok: price.usd === null ? null : Number(formatUsdPerTok(price.usd)),
    }
  }

  async function approve(id: string, now: number): Promise<PageParts> {
    const request = requests.get(id)
    // The page must open even if the chain does not respond: what to sign is known without it.
    const [block, subject, refusal] = await Promise.all([
      reader.head().catch(() => null),
      readSubject(request, now).catch(() => ({ task: null, title: null, usdPerTok: null })),
      request.status === 'reverted' ? readRefusal(providers, places, request).catch(() => null) : null,
    ])
    const body = approveBody(request, refusal, receiptSection(request, subject, places.markets), now)
    // In our own words: a tab with a stranger's title would speak for whoever asks.
    const title = findAction(request.action)?.title ?? request.title
    return { title, path: null, block, body, sheets: ['approve'], modules: ['approve'] }
  }
}

const marketQuery = { input: z.object({ market: params.market }) }

const recordQuery = {
  input: z.object({
    market: params.market,
    wallet: params.address.optional(),
    of: z
      .enum(Object.keys(figures) as [FigureName, ...FigureName[]], 'of must be a number of the leaderboard')
      .default('score'),
  }),
}

function describeFault(error: unknown) {
  if (error instanceof LogRangeError) {
    return {
      status: 503,
      heading: 'This page needs another provider',
      text: 'It is read from the history of the chain, and the configured providers return too few blocks per call.',
      wayOut: html`Set <code>CHAIN_RPC_URL</code> to a provider that allows wider ranges. Other pages work as they are.`,
    }
  }
  if (error instanceof ChainReadError) {
    return {
      status: 503,
      heading: 'The chain cannot be read',
      text: 'None of the configured providers gives an answer now. Nothing is lost: what is on the chain stays there.',
      wayOut: html`<a href="">Try again</a>, or look at <code>CHAIN_RPC_URL</code> if this stays.`,
    }
  }
  if (!(error instanceof ServiceError)) throw error
  if (error.status === 404) {
    return {
      status: 404,
      heading: 'No such request',
      text: error.message,
      wayOut: html`Requests are kept by the gateway that prepared them. Prepare the action again, or go to the <a href="/">hub</a>.`,
    }
  }
  return {
    status: error.status,
    heading: 'That cannot be shown',
    text: error.message,
    wayOut: html`Go back to the <a href="/market.html">market</a> or the <a href="/">hub</a>.`,
  }
}

/** Renders an error: what happened, and what to do. */
function errorBody(heading: string, text: string, wayOut: Html): Html {
  return html`<section class="blank">
<h1>${heading}</h1>
<p>${text}</p>
<p>${wayOut}</p>
</section>`
}
