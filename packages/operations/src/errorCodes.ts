interface CodeInfo {
  /** The status of the HTTP response. One code has one status. */
  status: number
  meaning: string
}

/** The error codes of the HTTP API. */
export const errorCodes = {
  INVALID_MARKET: { status: 400, meaning: 'There is no such market.' },
  INVALID_LIMIT: { status: 400, meaning: 'The limit is not a whole number from 1 to 100.' },
  INVALID_ADDRESS: { status: 400, meaning: 'The address is missing or not valid.' },
  INVALID_TASK_ID: { status: 400, meaning: 'The task id is missing or not valid.' },
  INVALID_TIER: { status: 400, meaning: 'There is no such plan.' },
  INVALID_PAY_WITH: { status: 400, meaning: 'A plan is paid with tok or usdc.' },
  INVALID_TX_HASH: { status: 400, meaning: 'The transaction hash is not valid.' },
  INVALID_CURSOR: { status: 400, meaning: 'The cursor does not come from this service.' },
  INVALID_MIN_BLOCK: { status: 400, meaning: 'The block number is not valid.' },
  INVALID_REQUEST: { status: 400, meaning: 'The request cannot be read.' },
  TASK_NOT_FOUND: { status: 404, meaning: 'There is no task with this id.' },
  NOT_FOUND: { status: 404, meaning: 'There is nothing at this path.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, with another method.' },
  REQUEST_TIMED_OUT: { status: 408, meaning: 'The request did not arrive in time.' },
  BODY_TOO_LARGE: { status: 413, meaning: 'The body is larger than allowed.' },
  URL_TOO_LONG: { status: 414, meaning: 'The URL is longer than allowed.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The body is not application/json.' },
  EXPECTATION_FAILED: { status: 417, meaning: 'Expect has another value than 100-continue.' },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The headers are larger than allowed.' },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests from this address.' },
  QUOTA_REACHED: { status: 429, meaning: 'The daily posting limit is reached.' },
  STATEMENT_REQUIRED: {
    status: 422,
    meaning: 'The terms name a store, but the published text has no valid key statement of the poster.',
  },
  TX_NOT_FOUND: { status: 409, meaning: 'The transaction is not visible yet.' },
  TX_CONTRADICTS: { status: 422, meaning: 'The transaction contradicts the request.' },
  PAYMENT_TAKEN: { status: 409, meaning: 'The payment was made for another wallet.' },
  BLOCK_NOT_REACHED: { status: 503, meaning: 'The requested block is not served yet.' },
  CHAIN_UNREACHABLE: { status: 503, meaning: 'The chain cannot be read now.' },
  PROFILES_UNAVAILABLE: { status: 503, meaning: 'Profiles cannot be read now, or the operator does not offer them.' },
  DATABASE_UNREACHABLE: { status: 503, meaning: 'The database cannot be reached now.' },
  INDEX_REQUIRED: { status: 503, meaning: 'This needs the index, which cannot be used now.' },
  PRICE_UNKNOWN: { status: 503, meaning: 'The chain has no price now.' },
  NO_POOL: { status: 422, meaning: 'The deployment names no pool where TOK is traded for USDC.' },
  NO_LIQUIDITY: { status: 422, meaning: 'The pool cannot sell or buy this much TOK now.' },
  NO_PRICE: { status: 422, meaning: 'There is no current dollar price of TOK, so nothing is swapped.' },
  PRICE_OFF: { status: 422, meaning: "The pool's price is too far from the price feed." },
  CHAT_NOT_CONFIGURED: { status: 503, meaning: 'The operator has not configured the chat.' },
  CHAT_BUSY: { status: 503, meaning: 'Too many chats at once, or the budget of the day is spent.' },
  CHAT_RATE_LIMITED: { status: 429, meaning: 'The chat gateway has too many requests.' },
  CHAT_FAILED: { status: 502, meaning: 'The chat gateway failed.' },
  CHAT_CANCELLED: { status: 499, meaning: 'The client closed the connection before the answer.' },
  CHAT_TIMED_OUT: { status: 504, meaning: 'The chat gateway did not answer in time.' },
  STORE_UNREACHABLE: { status: 502, meaning: 'The store of delivered work does not answer.' },
  NOTIFIER_UNREACHABLE: { status: 502, meaning: 'The notifier does not answer.' },
  BUSY: { status: 503, meaning: 'The service has too many requests at once.' },
  INTERNAL: { status: 500, meaning: 'An error of the service.' },
} as const satisfies Record<string, CodeInfo>

/** The codes that only the local gateway has. */
export const gatewayErrorCodes = {
  PAYMENT_REQUIRED: { status: 402, meaning: 'The claim needs a readiness receipt.' },
  NOT_READY: { status: 402, meaning: 'The wallet or the task is not ready for a claim.' },
  WOULD_REVERT: { status: 422, meaning: 'The contracts would refuse it now.' },
  REQUEST_NOT_FOUND: { status: 404, meaning: 'There is no prepared request with this id.' },
  REQUEST_SETTLED: { status: 409, meaning: 'The prepared request is no longer open.' },
  FOREIGN_HOST: { status: 421, meaning: 'The request was meant for another host.' },
  FOREIGN_ORIGIN: { status: 403, meaning: 'A page of another origin may not do this.' },
} as const satisfies Record<string, CodeInfo>

/** The codes of services with sessions: the store and the notifier. */
export const sessionErrorCodes = {
  SESSION_REQUIRED: { status: 401, meaning: 'The session is missing, unknown or expired.' },
  INVALID_STATEMENT: {
    status: 422,
    meaning: 'The sign-in message, its signature or the proof of the device key is not valid.',
  },
  PROOF_USED: { status: 409, meaning: 'The proof of the device key has opened a session before. Sign another one.' },
  WORK_QUOTA_REACHED: { status: 413, meaning: 'The task, the bundle or the wallet has no room left.' },
} as const satisfies Record<string, CodeInfo>

/** The codes that only the store has. */
export const storeErrorCodes = {
  NOT_ALLOWED: { status: 403, meaning: 'The chain does not give this wallet a role in the task that allows this.' },
  PART_NOT_FOUND: { status: 404, meaning: 'The store does not hold this part for this task.' },
  BUNDLE_NOT_FOUND: { status: 404, meaning: 'The store does not hold this bundle.' },
  BUNDLE_REMOVED: {
    status: 451,
    meaning: 'The operator removed the bundle after a notice. The error gives the reason.',
  },
  PICTURE_NOT_FOUND: { status: 404, meaning: 'The wallet does not have this picture here.' },
  VAULT_NOT_FOUND: { status: 404, meaning: 'The wallet has no key backup here.' },
  LENGTH_REQUIRED: { status: 411, meaning: 'Content-Length is missing.' },
  RANGE_NOT_SATISFIABLE: { status: 416, meaning: 'The range lies outside of the part.' },
  WRONG_BYTES: { status: 422, meaning: 'The bytes do not have the hash of the URL. Nothing was stored.' },
  INVALID_DESCRIPTOR: {
    status: 422,
    meaning: 'The descriptor is not valid, or not about this task as it stands on chain.',
  },
  PARTS_MISSING: { status: 409, meaning: 'The store does not hold every part of the bundle.' },
  RECEIPT_REFUSED: { status: 409, meaning: 'The store cannot sign a receipt for this bundle now.' },
  STORE_FULL: { status: 507, meaning: 'The store has no room left.' },
  MAIL_DEPOSIT_REQUIRED: {
    status: 403,
    meaning:
      'Only a wallet with a deposit above the pause threshold may write to a wallet that it shares no task with.',
  },
  MAIL_BLOCKED: { status: 403, meaning: 'The recipient does not accept messages of this wallet.' },
  MAIL_UNANSWERED: { status: 409, meaning: 'The recipient has not answered the first message yet.' },
  MAIL_TOO_LARGE: { status: 413, meaning: 'The message is larger than allowed.' },
  MAIL_LIMIT_REACHED: { status: 409, meaning: 'A limit of messages, contacts or blocked wallets is reached.' },
  OBJECTS_UNREACHABLE: { status: 503, meaning: 'The object store cannot be reached now.' },
} as const satisfies Record<string, CodeInfo>

/** The codes that only the notifier has. */
export const notifyErrorCodes = {
  SUBSCRIPTION_NOT_FOUND: { status: 404, meaning: 'The wallet has no such subscription.' },
  TOO_MANY_SUBSCRIPTIONS: { status: 409, meaning: 'The wallet has as many subscriptions as it can have.' },
  TOO_MANY_SEARCHES: { status: 409, meaning: 'The wallet has as many saved searches as it can have.' },
  CHANNEL_NOT_CONFIGURED: { status: 503, meaning: 'The operator has not set this channel up.' },
  INVALID_PROFILE: {
    status: 422,
    meaning: 'The profile breaks a rule, or its wallet did not sign it for this market.',
  },
  OLDER_PROFILE: { status: 409, meaning: 'The wallet has signed a newer profile.' },
  DEPOSIT_REQUIRED: {
    status: 403,
    meaning: 'The wallet needs a deposit above the pause threshold, or a completed task.',
  },
  PROFILES_FULL: { status: 507, meaning: 'There is no room for further profiles.' },
  INVALID_TARGET: { status: 422, meaning: 'Nothing can be sent to this target.' },
  INVALID_TOKEN: { status: 422, meaning: 'The link has expired or is not complete.' },
  CHANNEL_UNREACHABLE: { status: 502, meaning: 'The channel does not answer now.' },
} as const satisfies Record<string, CodeInfo>

export type ApiErrorCode = keyof typeof errorCodes
/** A code of any service. */
export type ErrorCode =
  | ApiErrorCode
  | keyof typeof gatewayErrorCodes
  | keyof typeof sessionErrorCodes
  | keyof typeof storeErrorCodes
  | keyof typeof notifyErrorCodes

const statuses: Readonly<Record<ErrorCode, CodeInfo>> = {
  ...errorCodes,
  ...gatewayErrorCodes,
  ...sessionErrorCodes,
  ...storeErrorCodes,
  ...notifyErrorCodes,
}

/** Returns the HTTP status of an error code. */
export const statusOf = (code: ErrorCode): number => statuses[code].status

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(statuses, code)
