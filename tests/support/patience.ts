import { SOON_MS } from './wait-ms.ts'

// The timeout of `findBy…` and `waitFor`; a test without a screen does not load the library.
if (typeof document !== 'undefined')
  (await import('@testing-library/react')).configure({ asyncUtilTimeout: SOON_MS })
