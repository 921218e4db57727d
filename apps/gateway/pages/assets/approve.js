import { refresh } from './live.js'
import { requestAt } from './request.js'
import { isRejection, obstacle, sendBatch, sendOneByOne, switchTo, takesBatches } from './signing.js'
import { findWallets } from './wallets.js'

const request = requestAt(document.getElementById('request').dataset.id)
const calls = JSON.parse(document.getElementById('batch').textContent)
/** What a wallet is told about a chain that it does not know; null if nothing is known of it. */
const chain = JSON.parse(document.getElementById('chain').textContent)
const at = (name) => document.getElementById(name)
/** Hashes of calls that were sent one by one. A retry continues after them. */
const sent = []
let wallets = []
let busy = false
/** True while the wallet has a batch. Asking again would send it twice. */
let handedOver = false

watchStatus()
if (at('signing')) {
  findWallets(showWallets)
  at('confirm').addEventListener('click', sign)
  at('switch').addEventListener('click', switchChain)
  at('reject').addEventListener('click', reject)
}

function showWallets(found) {
  // The request was settled in the meantime.
  if (!at('signing')) return
  const chosen = selected()?.id
  wallets = found
  const choices = found.map(({ id: wallet, name }, index) => {
    const label = document.createElement('label')
    label.className = 'wallet'
    const radio = document.createElement('input')
    radio.type = 'radio'
    radio.name = 'wallet'
    radio.value = wallet
    radio.checked = chosen ? wallet === chosen : index === 0
    label.append(radio, name)
    return label
  })
  const none = at('no-wallet')
  none.hidden = found.length > 0
  none.textContent =
    'No wallet in this browser. Open this page where your wallet is installed, or sign the calls elsewhere: see below.'
  for (const old of document.querySelectorAll('#wallets .wallet')) old.remove()
  at('wallets').append(...choices)
  at('confirm').disabled = found.length === 0
}

function selected() {
  const chosen = document.querySelector('input[name="wallet"]:checked')?.value
  return wallets.find((each) => each.id === chosen) ?? wallets[0]
}

/** Checks account and chain, then passes the calls to the wallet unchanged. */
async function sign() {
  if (busy || handedOver) return
  const { name, provider } = selected()
  setBusy(true)
  try {
    if (!(await isReady(name, provider))) return
    if (sent.length > 0 || !(await signAtOnce(name, provider))) await signInTurn(name, provider)
  } catch (error) {
    await refused(name, error)
  } finally {
    setBusy(false)
  }
}

/** Whether the wallet is connected with the request's account and chain. If not, shows what to do. */
async function isReady(name, provider) {
  say(`Look at ${name}: it asks for your consent.`)
  let problem
  try {
    problem = await obstacle(provider, calls)
  } catch (error) {
    say(`${name} did not connect: ${plain(error?.message)}. Nothing was sent; sign again to try once more.`, true)
    return false
  }
  at('switch').hidden = problem?.kind !== 'chain'
  if (problem?.kind === 'account') {
    say(`${name} has ${problem.has ?? 'no account'} selected. Choose ${calls.from} there and sign again.`, true)
  }
  if (problem?.kind === 'chain') say(`${name} is on another chain. Switch it and sign again.`, true)
  return !problem
}

async function signAtOnce(name, provider) {
  if (!(await takesBatches(provider, calls))) return false
  say(`Confirm in ${name}.`)
  const code = await sendBatch(
    provider,
    calls,
    (callsId) => {
      handedOver = true
      say('Signed. The gateway watches the chain; you may close this tab.')
      request.tell('submitted', { account: calls.from, callsId, transactionHashes: [] })
    },
    (transactionHashes) => request.tell('submitted', { account: calls.from, transactionHashes }),
  )
  // EIP-5792: failed before it reached the chain.
  if (code >= 400 && code < 500) {
    handedOver = false
    say(`${name} says that it sent nothing (status ${code}). Sign again to try once more.`, true)
  }
  return code !== null
}

async function signInTurn(name, provider) {
  const total = calls.calls.length
  const went = await sendOneByOne(
    provider,
    calls,
    sent,
    (count) => say(total === 1 ? `Confirm in ${name}.` : `Confirm ${count} of ${total} in ${name}.`),
    (transactionHashes) => request.tell('submitted', { account: calls.from, transactionHashes }),
  )
  if (went) say('Signed. The gateway watches the chain; you may close this tab.')
  else say(`Call ${sent.length} of ${total} did not succeed, so the rest was not sent.`, true)
}

async function refused(name, error) {
  if (!isRejection(error))
    return say(`${name} could not send it: ${plain(error?.message)}. Nothing more was sent.`, true)
  if (sent.length > 0) {
    return say(`You stopped after ${sent.length} of ${calls.calls.length}. Sign to go on, or reject the rest.`, true)
  }
  say('Rejected in the wallet.')
  await request.tell('reject')
}

async function switchChain() {
  const { name, provider } = selected()
  try {
    await switchTo(provider, calls.chainId, chain)
    at('switch').hidden = true
    say(`On ${chain?.chainName ?? 'the right chain'} now. Sign when you are ready.`)
    at('confirm').focus()
  } catch (error) {
    say(`${name} did not switch: ${plain(error?.message)}.`, true)
  }
}

async function reject() {
  say('Rejecting…')
  const answer = await request.tell('reject')
  if (answer?.status === 409)
    say('Some of it was already sent, so it cannot be rejected here: just do not sign the rest.', true)
}

/** Polls until the request is settled. If the gateway does not respond, retries with backoff and says so. */
async function watchStatus() {
  let wait = 1_000
  for (;;) {
    const shown = document.querySelector('[data-live="outcome"]').dataset.status
    try {
      // A long poll reports changes from the gateway's current status, so first check that the page shows that status.
      let found = await request.ask({ waits: false })
      if (found?.status === shown && !found.settled) found = await request.ask({ waits: true })
      if (!found) return lost()
      const { status, settled } = found
      at('stale').hidden = true
      wait = 1_000
      if (settled) return await finish()
      if (status !== shown) await refresh('outcome')
      // Avoid a tight loop if the gateway does not support long polls.
      await pause(status === shown ? 250 : 0)
    } catch {
      at('stale').textContent =
        `The gateway does not answer. Nothing is lost: what you signed is the chain’s business now. Asking again every ${wait / 1_000} s.`
      at('stale').hidden = false
      await pause(wait)
      wait = Math.min(2 * wait, 8_000)
    }
  }
}

/** Shows the outcome, and again after all reports are sent: some hashes reach the gateway only after it settled the request. */
async function finish() {
  const isHere = at('signing')?.contains(document.activeElement)
  await refresh('outcome', 'sign')
  // The focused button is gone, so move the focus to the outcome for screen readers.
  if (isHere) at('outcome').focus()
  await request.said()
  await pause(1_500)
  await refresh('outcome')
}

function lost() {
  at('stale').textContent = 'The gateway does not know this request any more. Prepare the action again.'
  at('stale').hidden = false
}

function setBusy(is) {
  busy = is
  // Not `disabled`, which would drop keyboard focus.
  at('confirm')?.setAttribute('aria-disabled', String(is))
}

function say(words, isBad = false) {
  const progress = at('progress')
  if (!progress) return
  progress.textContent = words
  progress.classList.toggle('bad', isBad)
}

const plain = (words) =>
  String(words ?? 'no reason given')
    .replace(/\p{C}/gu, ' ')
    .slice(0, 200)
const pause = (ms) => new Promise((done) => setTimeout(done, ms))
