/** Whether a text can be an id. PostgreSQL answers other texts with an error instead of no rows. */
export const isUuid = (text: string): boolean => UUID.test(text)
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
