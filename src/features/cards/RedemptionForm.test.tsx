// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { RedemptionForm } from './RedemptionForm.tsx'

afterEach(cleanup)

function Card() {
  const [code, setCode] = useState('')
  return <RedemptionForm code={code} onType={setCode} onRedeem={async () => undefined} notice="" />
}

test('RDM-02: a code that was typed before the page was alive stays, and can be redeemed', async () => {
  const page = document.createElement('div')
  document.body.append(page)
  page.innerHTML = renderToString(<Card />)
  page.querySelector('input')!.value = 'REDEEM-2345-6789'
  const root = await act(async () => hydrateRoot(page, <Card />))
  expect(screen.getByLabelText<HTMLInputElement>('Redemption Code').value).toBe('REDEEM-2345-6789')
  expect(screen.getByRole('button').getAttribute('aria-disabled')).not.toBe('true')
  await act(async () => root.unmount())
  page.remove()
})
