import { expect, test } from 'vitest'
import { CAMERA_POLICY, isScannerPage, LET_IN_SCANNER, markScannerPage } from './scanner-page.ts'
import { pagePolicy } from '../http/content-security-policy.ts'

const policy = (more: object = {}) => pagePolicy({ scripts: [], styles: [], development: false, ...more })

test('the camera is allowed on the page where cards are scanned, and on no other', () => {
  expect(['/activation', '/activation/'].every(isScannerPage)).toBe(true)
  expect(['/', '/reseller', '/redemption', '/activation/more', '/library'].some(isScannerPage)).toBe(false)
  expect(CAMERA_POLICY).toContain('camera=(self)')
  expect(CAMERA_POLICY).toContain('microphone=()')
})

test('the barcode library’s WebAssembly may run there, and nothing else that a policy forbids', () => {
  expect(policy({ letIn: LET_IN_SCANNER })).toContain("'wasm-unsafe-eval'")
  expect(policy({ letIn: LET_IN_SCANNER })).not.toContain("'unsafe-eval'")
  expect(policy()).not.toContain('wasm-unsafe-eval')
})

test('the scanner’s document is marked for its own code', () => {
  expect(markScannerPage('<head><title>x</title></head>')).toContain('<meta name="camera"')
})
