// In charge of what the commands that care for the catalogue take.

/** @typedef {import('commander').Command} Command */

/** @param {Command} _watchdata */
export function addCatalogue(_watchdata) {}
