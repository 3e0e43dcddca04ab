import bwipjs from 'bwip-js/node'
import type { Paper } from './document.ts'

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** A QR code with error correction level M: readable with a seventh of it damaged. */
export function drawQr(paper: Paper, text: string, { x, y, width }: Place): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types don't say which kind of code returns what
  const [code] = bwipjs.raw({ bcid: 'qrcode', text, eclevel: 'M' } as Parameters<
    typeof bwipjs.raw
  >[0]) as unknown as [{ pixs: number[]; pixx: number; pixy: number }]
  const unit = width / code.pixx
  for (let row = 0; row < code.pixy; row += 1)
    for (let from = 0; from < code.pixx; from += 1) {
      let until = from
      while (until < code.pixx && code.pixs[row * code.pixx + until] === 1) until += 1
      if (until === from) continue
      paper.rect(x + from * unit, y + row * unit, (until - from) * unit, unit)
      from = until
    }
  paper.fill('#000000')
}
