import type { LetIn } from '../http/content-security-policy.ts'

/** Cards are scanned in this document; it and no other may ask for the camera. */
const COUNTER = /^\/activation\/?$/

export const isScannerPage = (path: string): boolean => COUNTER.test(path)

/** A browser without a barcode reader of its own gets a library in WebAssembly (src/features/outlets/scanner.ts). */
export const LET_IN_SCANNER: LetIn = { scripts: "'wasm-unsafe-eval'", frames: '', calls: '' }

export const CAMERA_POLICY = 'camera=(self), geolocation=(), microphone=(), payment=()'

/** Tells the page's own code that this document may: one that was opened elsewhere in the shop may not. */
export const markScannerPage = (html: string): string =>
  html.replace('</head>', '<meta name="camera" content="allowed" /></head>')
