import { SOON_MS } from './wait-ms.ts'

// Of the screens' `findBy…` and `waitFor`; a test without a screen does not load their library.
if (typeof document !== 'undefined')
  (await import('@testing-library/react')).configure({ asyncUtilTimeout: SOON_MS })
