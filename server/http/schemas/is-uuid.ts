/** True if a text can be an id at all: the database answers any other with an error, not with nothing. */
export const isUuid = (text: string): boolean => UUID.test(text)
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
