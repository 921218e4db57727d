import { crc32, deflateSync } from 'node:zlib'

const size = { width: 640, height: 320, margin: 24 }
const colours = { paper: [255, 255, 255], grid: [229, 226, 217], limit: [179, 38, 30], bar: [10, 107, 90] } as const

/** Draws numbers as bars, with a line at a limit, as a PNG file. */
export function drawChart(values: readonly number[], limit: number): Uint8Array {
  const { width, height, margin } = size
  const top = 1.1 * Math.max(limit, ...values)
  const pixels = Buffer.alloc(height * (1 + 3 * width))
  const fill = (left: number, right: number, from: number, to: number, colour: readonly number[]) => {
    for (let y = Math.round(from); y < Math.round(to); y++) {
      // Each row begins with the number of its filter.
      for (let x = Math.round(left); x < Math.round(right); x++) pixels.set(colour, y * (1 + 3 * width) + 1 + 3 * x)
    }
  }
  const toY = (value: number) => height - margin - (value / top) * (height - 2 * margin)
  fill(0, width, 0, height, colours.paper)
  for (let part = 0; part <= 4; part++)
    fill(margin, width - margin, toY((top * part) / 4), toY((top * part) / 4) + 1, colours.grid)
  const step = (width - 2 * margin) / values.length
  for (const [index, value] of values.entries()) {
    const left = margin + index * step
    fill(
      left + 0.15 * step,
      left + 0.85 * step,
      toY(value),
      height - margin,
      value > limit ? colours.limit : colours.bar,
    )
  }
  fill(margin, width - margin, toY(limit) - 1, toY(limit) + 1, colours.limit)

  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8)
  const chunks = [formatChunk('IHDR', header), formatChunk('IDAT', deflateSync(pixels)), formatChunk('IEND')]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

function formatChunk(type: string, content: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
