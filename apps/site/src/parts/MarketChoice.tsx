import { isMarket, type Market, markets } from '@svc/protocol'
import { setQuery, useLocation } from '../router.tsx'

/** The market of the current page. The two markets are never mixed. */
export function useMarket(): Market {
  const given = useLocation().searchParams.get('market')
  return isMarket(given) ? given : 'standard'
}

/** Switches between the two markets. The choice is in the URL. */
export function MarketChoice() {
  const chosen = useMarket()
  return (
    <fieldset className="choice">
      <legend>Market</legend>
      {markets.map((market) => (
        <label key={market}>
          <input
            type="radio"
            name="market"
            checked={market === chosen}
            onChange={() => setQuery({ market: market === 'standard' ? null : market, cursor: null })}
          />
          {market}
        </label>
      ))}
    </fieldset>
  )
}
