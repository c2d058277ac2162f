/** An id of ours, which names files: nothing else than this ever did. */
export const JOB_ID = /^[\w-]{1,150}$/;
