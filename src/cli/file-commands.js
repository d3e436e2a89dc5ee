// In charge of what the commands that read and write files of watches take.

/** @typedef {import('commander').Command} Command */

/** @param {Command} _watchdata */
export function addFiles(_watchdata) {}
