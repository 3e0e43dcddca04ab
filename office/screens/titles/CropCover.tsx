import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Refusal } from '#writes/Refusal.tsx'
import { Button } from '../../ui/Button.tsx'
import { type CoverColours, coloursFrom } from './cover-colours.ts'

export interface Cropped {
  readonly picture: Blob
  readonly colours: CoverColours | undefined
}

interface CropCoverProps {
  readonly file: File
  /** Width by height. */
  readonly shape: number
  readonly busy: boolean
  readonly onUse: (cropped: Cropped) => void
  readonly onCancel: () => void
}

const MOST_BYTES = 40_000_000
const MOST_PIXELS = 100_000_000
/** As the server wants it. */
const LEAST_WIDTH = 330
/** Twice the large rendition. */
const MOST_WIDTH = 1_800
const SHOWN = 320
/** A key moves or resizes by this part. */
const STEP = 0.02
const SAMPLES = 48

/** In parts of the picture's width and height. */
interface Crop {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** The part of a picture that becomes the cover: dragged, or moved with the arrow keys. The colours follow it. */
export function CropCover({ file, shape, busy, onUse, onCancel }: CropCoverProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLButtonElement>(null)
  const held = useRef<{ readonly x: number; readonly y: number }>(undefined)
  const [picture, setPicture] = useState<ImageBitmap>()
  const [fault, setFault] = useState('')
  const [crop, setCrop] = useState<Crop>({ x: 0, y: 0, width: 1 })
  const [colours, setColours] = useState<readonly CoverColours[]>([])
  const [chosen, setChosen] = useState(0)

  useEffect(() => {
    let hasLeft = false
    void openPicture(file).then((opened) => {
      if (hasLeft) return
      if (typeof opened === 'string') return setFault(opened)
      setPicture(opened)
      const width = widest(opened, shape)
      setCrop({ x: (1 - width) / 2, y: (1 - heightOf(opened, shape, width)) / 2, width })
    })
    return () => {
      hasLeft = true
    }
  }, [file, shape])
  useEffect(() => {
    if (!picture || !canvas.current) return
    canvas.current.getContext('2d')?.drawImage(picture, 0, 0, canvas.current.width, canvas.current.height)
    frame.current?.focus({ preventScroll: true })
  }, [picture])
  useEffect(() => {
    if (!picture) return
    setColours(coloursIn(picture, shape, crop))
    setChosen(0)
  }, [picture, shape, crop])

  if (fault)
    return (
      <>
        <Refusal message={fault} />
        <Button compact onClick={onCancel}>
          Keep the cover as it is
        </Button>
      </>
    )
  if (!picture)
    return (
      <p className="muted" role="status">
        Opening the picture …
      </p>
    )
  const height = heightOf(picture, shape, crop.width)
  const least = Math.min(LEAST_WIDTH / picture.width, widest(picture, shape))
  const put = ({ x, y, width }: Crop) => {
    const wide = Math.min(Math.max(width, least), widest(picture, shape))
    const high = heightOf(picture, shape, wide)
    setCrop({ x: between(x, 1 - wide), y: between(y, 1 - high), width: wide })
  }
  const resize = (width: number) =>
    put({
      x: crop.x + (crop.width - width) / 2,
      y: crop.y + (height - heightOf(picture, shape, width)) / 2,
      width,
    })
  const onKeyDown = (event: KeyboardEvent) => {
    const [right, down] = MOVES[event.key] ?? [0, 0]
    const grow = event.key === '+' ? STEP : event.key === '-' ? -STEP : 0
    if (!right && !down && !grow) return
    event.preventDefault()
    if (grow) resize(crop.width + grow)
    else put({ ...crop, x: crop.x + right * STEP, y: crop.y + down * STEP })
  }
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    if (!held.current || !box) return
    put({
      ...crop,
      x: (clientX - box.left - held.current.x) / box.width,
      y: (clientY - box.top - held.current.y) / box.height,
    })
  }
  const [shown, band] = [SHOWN / Math.max(picture.width, picture.height), colours[chosen]]
  return (
    <div className="crop-cover">
      <div className="crop-picture">
        <canvas
          ref={canvas}
          role="img"
          aria-label="The picture you chose"
          width={Math.round(picture.width * shown)}
          height={Math.round(picture.height * shown)}
        />
        <button
          ref={frame}
          type="button"
          className="crop-frame"
          aria-label="The part that becomes the cover: drag it, or use the arrow keys, plus and minus"
          style={{
            left: `${crop.x * 100}%`,
            top: `${crop.y * 100}%`,
            width: `${crop.width * 100}%`,
            height: `${height * 100}%`,
          }}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            const box = event.currentTarget.getBoundingClientRect()
            event.currentTarget.setPointerCapture(event.pointerId)
            held.current = { x: event.clientX - box.left, y: event.clientY - box.top }
          }}
          onPointerMove={onPointerMove}
          onPointerUp={() => (held.current = undefined)}
          onPointerCancel={() => (held.current = undefined)}
        />
      </div>
      <div className="crop-tools">
        <p className="hint">Drag the frame to crop, or use the arrow keys.</p>
        <label className="field">
          Size
          <input
            type="range"
            min={least}
            max={widest(picture, shape)}
            step="any"
            value={crop.width}
            aria-valuetext={`${Math.round((100 * crop.width) / widest(picture, shape))}%`}
            onChange={({ target }) => resize(Number(target.value))}
          />
        </label>
        {band && (
          <div>
            <p className="small">Colours taken from the picture</p>
            <p className="crop-colours small">
              <Swatch name="Band" colour={band.backgroundColour} />
              <Swatch name="Box" colour={band.containerColour} />
              <Swatch name="Text" colour={band.textColour} />
            </p>
            {colours.length > 1 && (
              <Button compact onClick={() => setChosen((before) => (before + 1) % colours.length)}>
                Pick again
              </Button>
            )}
          </div>
        )}
        <div className="acts">
          <Button
            look="solid"
            compact
            sends
            busy={busy}
            onClick={() =>
              void cut(picture, shape, crop).then((blob) => blob && onUse({ picture: blob, colours: band }))
            }
          >
            Use this cover
          </Button>
          <Button compact onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </div>
  )
}

const MOVES: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const Swatch = ({ name, colour }: { readonly name: string; readonly colour: string }) => (
  <span>
    <span className="swatch" style={{ background: colour }} aria-hidden="true" />
    {name} <span className="muted">{colour}</span>
  </span>
)

const between = (value: number, most: number): number => Math.min(Math.max(value, 0), Math.max(most, 0))

/** The largest crop of this shape, as a part of the picture's width. */
const widest = ({ width, height }: ImageBitmap, shape: number): number =>
  Math.min(1, (height * shape) / width)

const heightOf = (picture: ImageBitmap, shape: number, width: number): number =>
  Math.min(1, (width * picture.width) / shape / picture.height)

/** @returns why it can't be a cover, or the picture */
async function openPicture(file: File): Promise<ImageBitmap | string> {
  if (!['image/jpeg', 'image/png', 'image/webp'].includes(file.type))
    return 'A cover is a JPEG, PNG or WebP picture.'
  if (file.size > MOST_BYTES) return 'This file is larger than 40 MB.'
  try {
    const picture = await createImageBitmap(file)
    if (picture.width < LEAST_WIDTH)
      return `This picture is ${picture.width} pixels wide; a cover needs ${LEAST_WIDTH}.`
    if (picture.width * picture.height > MOST_PIXELS) return 'This picture has too many pixels to be a cover.'
    return picture
  } catch {
    return 'This file can’t be read as a picture.'
  }
}

function drawn(picture: ImageBitmap, shape: number, crop: Crop, width: number, height: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return undefined
  // A JPEG has no transparency: the server fills it with white, too.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(
    picture,
    crop.x * picture.width,
    crop.y * picture.height,
    crop.width * picture.width,
    heightOf(picture, shape, crop.width) * picture.height,
    0,
    0,
    width,
    height,
  )
  return { canvas, context }
}

function coloursIn(picture: ImageBitmap, shape: number, crop: Crop): CoverColours[] {
  const sampled = drawn(picture, shape, crop, SAMPLES, SAMPLES)
  return sampled ? coloursFrom(sampled.context.getImageData(0, 0, SAMPLES, SAMPLES).data) : []
}

async function cut(picture: ImageBitmap, shape: number, crop: Crop): Promise<Blob | null> {
  const width = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, Math.round(crop.width * picture.width)))
  const made = drawn(picture, shape, crop, width, Math.round(width / shape))
  return new Promise((resolve) => (made ? made.canvas.toBlob(resolve, 'image/jpeg', 0.92) : resolve(null)))
}
