import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '#features/cards/queries.ts'
import { Mail, Phone } from '#features/cards/WhomToAsk.tsx'

/** For a bookseller, whose account opens no other page to find it on (ROLE-14): a phone rings sooner than a mail is read. */
export function CounterHelp() {
  const settings = useQuery(settingsQuery()).data
  if (!settings) return null
  const { bookshopPhone, bookshopMail } = settings
  return bookshopPhone === null ? <Mail to={bookshopMail} /> : <Phone number={bookshopPhone} />
}
