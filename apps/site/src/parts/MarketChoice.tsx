import { isMarket, type Market, markets } from '@svc/protocol'
import { setQuery, usePlace } from '../router.tsx'

/** The market that the page is about. The two are never merged. */
export function useMarket(): Market {
  const given = usePlace().searchParams.get('market')
  return isMarket(given) ? given : 'standard'
}

/** Switches between the two markets; the choice stands in the URL. */
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
