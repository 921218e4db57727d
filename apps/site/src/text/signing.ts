/** Text of forms, receipts and transactions. */
export const actionText = {
  unknownAction: (name: string) => `There is no action called ${name}.`,
  connectFirst: 'Sign in to continue.',
  optional: ' (optional)',
  review: 'Review',
  edit: 'Edit',
  back: 'Back',
  preparing: 'Asking the chain what this would do',
  slow: 'The chain is slow to answer. Still waiting.',
  tryAgain: 'Try again',

  others: 'What moves for others',
  networkFee: 'Network fee',
  networkFeeNote: 'in ETH, shown by your wallet',
  networkFeeSponsored: 'paid by this site',
  networkFeeInUsdc: (maximum: string) => `in USDC, at most ${maximum}`,
  contract: 'contract',
  detailsNote: 'Read from the bytes that your wallet gets, with the contracts this site was built with.',
  unknownOutcome: 'The chain could not try this in advance. Your wallet will, before you confirm.',
  refused: 'This would be refused now.',
  checkedAtBlock: (block: number) => `Tried at block ${block.toLocaleString('en')}`,
  confirmations: (calls: number, permits: number, wallet: string, isBatch: boolean) => {
    if (calls === 1 || isBatch) return `${wallet} asks you once.`
    const signed =
      permits === 0 ? '' : permits === 1 ? ', the first time for a signature' : ', some of them for a signature'
    return `${wallet} asks you ${calls} times, one after the other${signed}.`
  },
  permit: {
    description: (wallet: string) =>
      `${wallet} first asks you to allow this by a signature. It is not a transaction and costs nothing.`,
    token: 'Token',
    amount: 'Amount',
    spender: 'May be taken by',
    spenders: {
      depositVault: 'the deposit vault',
      paymentGateway: 'the payment gateway',
      swapRouter: 'the router of the pool',
    },
    deadline: 'Valid for',
    minutes: (count: number) => `${count} minutes`,
  },
  yourWallet: 'Your wallet',
  switchChain: (wallet: string) => `Switch ${wallet} to this chain`,
  updated: 'Something changed since you opened this. Check it again, then sign.',
  otherThanAsked: 'The server prepared something else than you asked for. Nothing will be signed.',
  otherAccount: 'Your wallet is on another account now. Switch it back, or prepare this for the account it is on.',
  useAccount: 'Use this account',
  alreadyPending: 'You have already sent this. It is on its way.',
  inOtherTab: 'You are signing this in another tab. Finish it there, or close that tab.',
  noProvider: 'Your wallet does not answer. Connect it again.',

  swap: {
    noPrice: 'Your wallet shows no current dollar price of TOK, so nothing is swapped. You can still pay in TOK.',
    priceOff:
      "The server's price is more than 3 % away from the price feed that your wallet shows. Nothing will be signed.",
    takeBack: 'return of the rest of the approval',
  },
  who: {
    'escrow of the task': 'Locked for the task',
    'exit deposits of the task': 'Holds of the task',
    poster: 'Poster',
    worker: 'Worker',
    judge: 'Judge',
    'final court': 'Final court',
    receiver: 'Receiver',
    treasury: 'Treasury',
    'payouts to withdraw': 'Payouts to withdraw',
    Union: 'Union',
    arbitration: 'Arbitration',
  },
  inDeposit: ' in the deposit',

  steps: {
    signing: 'Confirm in your wallet',
    sent: 'Sent to the network',
    'in block': 'In a block',
    safe: 'Final',
  },
  count: (done: number, all: number) => ` (${done} of ${all})`,
  backToAction: 'Back to the action',

  /** What an action is called in a sentence about its signature. */
  nouns: {
    'claim-task': 'claim',
    'post-task': 'post',
    'create-task': 'new task',
    'fund-task': 'locking of the pay',
    'top-up': 'deposit',
    'buy-tok': 'purchase of TOK',
    'emergency-top-up': 'deposit',
    stake: 'TOK for the Union',
    'register-arbitrator': 'bond',
    'buy-plan': 'purchase',
    'open-dispute': 'dispute',
  },
  partial: {
    approval: (amount: string) => `approval of ${amount}`,
    action: (verb: string) => `step “${verb}”`,
    sent: (parts: readonly string[]) =>
      `${capitalize(list(parts))} ${parts.length === 1 ? 'was sent and stands' : 'were sent and stand'}.`,
    holds: (things: readonly string[]) =>
      `You now hold ${new Intl.ListFormat('en', { type: 'conjunction' }).format(things)}.`,
    deposit: (amount: string) => `a deposit of ${amount}`,
    notSent: (parts: readonly string[]) =>
      `${capitalize(list(parts))} ${parts.length === 1 ? 'was' : 'were'} not sent.`,
    declined: 'You declined the rest in your wallet.',
    closed: 'The page was closed before the rest was signed.',
    continue: 'Continue',
    undo: 'Undo the approval',
  },
  problems: {
    declined: 'You declined the request in your wallet. Nothing was sent, and you can start again.',
    noEth: 'Your wallet does not have enough ETH for the network fee. Add some, then try again.',
    notConnected: 'Your wallet is not connected to this chain. Connect it again, then try again.',
    rejected: (reason: string) => `Your wallet rejected the request: ${reason || 'no reason given'}.`,
    switchedAccount: 'Your wallet switched to another account. Switch it back, then continue.',
    switchedChain: 'Your wallet switched to another chain. Switch it back, then continue.',
    closed: 'The page was closed before your wallet responded. Check your wallet; if it sent nothing, start again.',
    replaced: 'Another transaction of your wallet replaced it. Check the task, then start again if it is still needed.',
    dropped: 'The network dropped this transaction, so it will not be mined. Start again.',
    reverted: 'The transaction reverted because something changed after you signed. Open the action again to see why.',
    notSent: 'Your wallet did not send it. Start again.',
    noReport: 'Your wallet did not report the result. Check your wallet.',
    unreadable: (method: string) =>
      `Your wallet gave an invalid answer to ${method}. Check in your wallet what it sent before you start again.`,
  },
} as const

const list = (parts: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(parts.map((part) => `the ${part}`))
const capitalize = (sentence: string) => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
