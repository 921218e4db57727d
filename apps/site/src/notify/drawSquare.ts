/** The picture is as wide and high as this, in pixels: twice the largest place where it is shown. */
const side = 192
/** What browsers draw without running anything. SVG is not among them. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp']

/** Draws the middle of a picture again as a small square. Throws if the file is no picture. */
export async function drawSquare(file: Blob): Promise<Blob> {
  if (!pictureTypes.includes(file.type)) throw new TypeError(`${file.type} is not a picture.`)
  const whole = await createImageBitmap(file)
  const length = Math.min(whole.width, whole.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = side
  const [x, y] = [(whole.width - length) / 2, (whole.height - length) / 2]
  canvas.getContext('2d')?.drawImage(whole, x, y, length, length, 0, 0, side, side)
  whole.close()
  // A browser that cannot write WebP writes PNG.
  const drawn = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.85))
  if (!drawn) throw new TypeError('The picture cannot be drawn.')
  return drawn
}
