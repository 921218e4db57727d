/** What a wallet lacks: USDC, and TOK where none can be bought. */
export interface Missing {
  usdcUnits: bigint
  tokWei: bigint
  /** How much to add, in words: whole dollars, rounded up. */
  amount: string
}
