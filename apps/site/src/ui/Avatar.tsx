import { storeByteRoutes } from '@svc/operations/endpoints'
import { useState } from 'react'

/** A ground and two colours on it. */
const palettes = [
  ['#0a6b5a', '#f2c14e', '#f7efe0'],
  ['#22333b', '#e58f6f', '#f0e6d8'],
  ['#e58f6f', '#2f3350', '#fbf3e4'],
  ['#8ecae6', '#0b3a53', '#fdf6e3'],
  ['#5f3a6b', '#f2a7c3', '#ffe9f0'],
  ['#f2c14e', '#2e4a2a', '#fff8e1'],
  ['#f4b6bf', '#6d2e46', '#fff4f5'],
  ['#b5c99a', '#2e4a2a', '#fefae0'],
  ['#2b50aa', '#ffab8f', '#e6edff'],
  ['#e6d5b8', '#b5542f', '#2a4747'],
  ['#9ad9c8', '#0b4f43', '#ffffff'],
  ['#c8b6ff', '#3c2a6b', '#fff7d6'],
] as const
const shapes = {
  quarterDisc: 'M0 0H14A14 14 0 0 1 0 14Z',
  square: 'M0 0H14V14H0Z',
  disc: 'M7 0A7 7 0 0 1 7 14A7 7 0 0 1 7 0Z',
  triangle: 'M0 0H14L0 14Z',
  halfDisc: 'M0 0A7 7 0 0 0 14 0Z',
  arc: 'M0 14A14 14 0 0 1 14 0V7A7 7 0 0 0 7 14Z',
} as const
const shapeList = Object.values(shapes)
const tiles = [0, 1, 2, 3] as const

interface AvatarProps {
  of: string
  size?: number
  isAgent?: boolean
  /** What its owner chose instead, by its hash at the store. */
  picture?: string | null | undefined
}

/**
 * A picture drawn from an address, so that a wallet is recognised again: four tiles on a ground. Bytes from the middle decide, so
 * that an address made to begin and end like another one looks different. People are round, agents square with round corners.
 */
export function Avatar({ of, size = 28, isAgent = false, picture = null }: AvatarProps) {
  const [isBroken, setBroken] = useState(false)
  const className = isAgent ? 'avatar agent' : 'avatar'
  if (picture !== null && !isBroken)
    return (
      <img
        className={className}
        src={`/store${storeByteRoutes.picture.replace(':wallet', of).replace(':sha256', picture)}`}
        width={size}
        height={size}
        alt=""
        loading="lazy"
        onError={() => setBroken(true)}
      />
    )
  const readByte = (index: number) => Number.parseInt(of.slice(2 + 2 * index, 4 + 2 * index), 16) || 0
  const [ground, one, two] = palettes[readByte(4) % palettes.length] ?? palettes[0]
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" fill={ground} />
      {tiles.map((tile) => {
        const bits = readByte(9 + tile)
        const place = `translate(${(tile % 2) * 14} ${(tile >> 1) * 14}) rotate(${(bits & 3) * 90} 7 7)`
        const shape = shapeList[readByte(5 + tile) % shapeList.length]
        return <path key={tile} transform={place} fill={bits & 4 ? one : two} d={shape} />
      })}
    </svg>
  )
}
