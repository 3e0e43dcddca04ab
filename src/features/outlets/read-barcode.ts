import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'

/** A picture this wide is enough for a barcode that fills half of it. */
const WIDTH = 960

/** Reads barcodes in browsers that cannot: in Safari and Firefox. */
export async function readBarcode(): Promise<(video: HTMLVideoElement) => Promise<string | undefined>> {
  await prepareZXingModule({
    overrides: {
      locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasm : prefix + path),
    },
    fireImmediately: true,
  })
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })!
  return async (video) => {
    canvas.width = Math.min(WIDTH, video.videoWidth)
    canvas.height = Math.round((canvas.width * video.videoHeight) / video.videoWidth)
    pen.drawImage(video, 0, 0, canvas.width, canvas.height)
    return barcodeIn(pen.getImageData(0, 0, canvas.width, canvas.height))
  }
}

export async function barcodeIn(picture: ImageData): Promise<string | undefined> {
  const [found] = await readBarcodes(picture, {
    formats: ['Code128', 'EAN13', 'Code39', 'ITF'],
    tryHarder: true,
    maxNumberOfSymbols: 1,
  })
  return found?.isValid ? found.text : undefined
}
