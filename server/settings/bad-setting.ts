/** The message names the setting and says what to do. */
export class BadSetting extends Error {}
