import { useEffect, useEffectEvent, useRef } from 'react'
import { addressChecker, type AddressCheckDeps } from './check-address.ts'

/** One for the life of the fields; what it calls is always of the last drawing. */
export function useAddressChecker(deps: AddressCheckDeps) {
  const checker = useRef<ReturnType<typeof addressChecker>>(undefined)
  const purchased = useEffectEvent(deps.purchased)
  const save = useEffectEvent(deps.save)
  const onChecked = useEffectEvent(deps.onChecked)
  useEffect(() => {
    checker.current = addressChecker({
      purchased: (email) => purchased(email),
      save: (email) => save(email),
      onChecked: (check) => onChecked(check),
    })
    return () => checker.current?.forget()
  }, [])
  return () => checker.current!
}
