/*
 * writer.h - the thread that brings units back into order and writes them
 *
 * One thread, so that the output is one sequence and the first error in file
 * order is the one that counts.  After an error the rest of that document's
 * units is swallowed; other documents are not touched by it.  When the last
 * unit of a pass has been written, the document goes to the committer.
 */
#ifndef PP_PIPE_WRITER_H
#define PP_PIPE_WRITER_H

#include "pipe/pipeline.h"

struct pp_writer {
    struct pp_pipeline *p;
    uint8_t *buffer;        /* of the sink being written                    */
    struct pp_chain *chain; /* of a stream whose last piece is still to come */
    struct pp_buf swept;    /* folder looked at last for temporary files of
                               runs that were killed                        */
    bool making; /* p->names: a temporary file is made that is not yet in
                    the pipeline's list                                     */
};

/* Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_writer_init(struct pp_writer *w, struct pp_pipeline *p,
                                   struct pdfpipe_error *err);
void pp_writer_fini(struct pp_writer *w);

/* Any thread, after pp_pipeline_abandon(): waits until no temporary file is
 * being made, which goes then; not for ever, as a file system may hang. */
void pp_writer_settle(struct pp_writer *w);

/* Thread main; arg is the writer. */
void *pp_writer_main(void *arg);

#endif
