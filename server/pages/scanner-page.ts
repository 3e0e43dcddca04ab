import type { LetIn } from '../http/content-security-policy.ts'

/** Cards are scanned on this page; only its document may ask for the camera. */
const COUNTER = /^\/activation\/?$/

export const isScannerPage = (path: string): boolean => COUNTER.test(path)

/** Browsers without a barcode reader use a WebAssembly library (src/features/outlets/scanner.ts). */
export const LET_IN_SCANNER: LetIn = { scripts: "'wasm-unsafe-eval'", frames: '', calls: '' }

export const CAMERA_POLICY = 'camera=(self), geolocation=(), microphone=(), payment=()'

/** Tells the page's code that this document may use the camera; a document opened elsewhere in the shop may not. */
export const markScannerPage = (html: string): string =>
  html.replace('</head>', '<meta name="camera" content="allowed" /></head>')
