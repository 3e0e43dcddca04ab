import { wait } from '#storage/wait.ts'
import { tabStorage } from '#storage/page-storage.ts'

/** Barcode formats of printed cards. */
const FORMATS = ['code_128', 'ean_13', 'code_39', 'itf'] as const
/** Often enough to feel immediate without heating a phone. */
const LOOK_EVERY_MS = 150
const ASKED = 'scanAfterReload'

type Look = (video: HTMLVideoElement) => Promise<string | undefined>

/** True if this document may ask for a camera: only one that was opened at the desk may (server/pages/scanner-page.ts). */
export const isScanningDocument = (): boolean => document.querySelector('meta[name="camera"]') !== null

/** Reloads the page, which may then use the camera, and scans. False if a reload did not help. */
export function openScanningDocument(): boolean {
  if (tabStorage.getItem(ASKED) !== null) return false
  tabStorage.setItem(ASKED, '1')
  location.reload()
  return true
}

/** True if this document was loaded to scan; asked once. */
export function cameToScan(): boolean {
  const asked = tabStorage.getItem(ASKED) !== null
  tabStorage.removeItem(ASKED)
  return asked && isScanningDocument()
}

/** Shows the camera in `video` until a barcode is read or `signal` aborts. @throws without a camera */
export async function scan(video: HTMLVideoElement, signal: AbortSignal): Promise<string | undefined> {
  // Undefined where the page is not secure.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (!devices) throw new Error('There is no camera here.')
  const [stream, look] = await Promise.all([
    devices.getUserMedia({ video: { facingMode: 'environment' }, audio: false }),
    reader(),
  ])
  try {
    if (signal.aborted) return undefined
    video.srcObject = stream
    await video.play()
    while (!signal.aborted) {
      const text = video.readyState >= video.HAVE_CURRENT_DATA ? await look(video) : undefined
      if (text && !signal.aborted) return text
      await wait(LOOK_EVERY_MS)
    }
    return undefined
  } finally {
    video.srcObject = null
    for (const track of stream.getTracks()) track.stop()
  }
}

interface NativeDetector {
  detect: (source: HTMLVideoElement) => Promise<readonly { rawValue: string }[]>
}
interface NativeDetectors {
  new (options: { formats: readonly string[] }): NativeDetector
  getSupportedFormats: () => Promise<readonly string[]>
}

/** The browser's own, else the library's, which is fetched now. */
async function reader(): Promise<Look> {
  const native = await nativeReader().catch(() => undefined)
  return native ?? (await import('./read-barcode.ts')).readBarcode()
}

async function nativeReader(): Promise<Look | undefined> {
  if (!('BarcodeDetector' in globalThis)) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript's browser does not know it yet
  const { BarcodeDetector } = globalThis as unknown as { BarcodeDetector: NativeDetectors }
  const supported = await BarcodeDetector.getSupportedFormats()
  const formats = FORMATS.filter((format) => supported.includes(format))
  if (!formats.includes('code_128')) return undefined
  const detector = new BarcodeDetector({ formats })
  return async (video) => (await detector.detect(video))[0]?.rawValue
}
