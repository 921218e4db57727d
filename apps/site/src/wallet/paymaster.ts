declare const __PAYMASTER_URL__: string | null

/** The paymaster that pays network fees (ERC-7677), if the operator has one. The wallet asks it, not this page. */
export const paymasterUrl = __PAYMASTER_URL__
